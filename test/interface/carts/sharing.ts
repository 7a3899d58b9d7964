import type { Answer, TestMerchant } from '../../support/service.ts';

/** What the sandbox kept instead of sending it. */
export async function messagesOf(merchant: TestMerchant): Promise<any[]> {
  const answer: Answer = await merchant.get('/sandbox/messages');
  if (answer.status !== 200) throw new Error(`The messages were refused: ${answer.text}`);
  return answer.body.messages;
}
