import type { ApiResponse, TestMerchant } from '../../support/service.ts';

/** Returns the messages that the sandbox recorded. */
export async function messagesOf(merchant: TestMerchant): Promise<{ text: string }[]> {
  const response: ApiResponse = await merchant.get('/sandbox/messages');
  if (response.status !== 200) throw new Error(`GET /sandbox/messages responded ${response.status}: ${response.text}`);
  return response.body.messages;
}
