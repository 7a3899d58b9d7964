import type { ApiResponse, TestMerchant } from '../../support/service.ts';

/** What the sandbox kept instead of sending it. */
export async function messagesOf(merchant: TestMerchant): Promise<any[]> {
  const response: ApiResponse = await merchant.get('/sandbox/messages');
  if (response.status !== 200) throw new Error(`The messages were refused: ${response.text}`);
  return response.body.messages;
}
