import { Agent, request } from 'undici';
import { personOf, withoutUserinfo } from './addresses.ts';
import { outcomeOf, outcomeOfFault, type Send } from './outcome.ts';

export interface TextOptions {
  /** Where texts are posted to, with the account and its secret as user and password. */
  url: string;
  /** Who they come from, as the service knows it. */
  from: string;
  timeoutMs: number;
}

/** Statuses by which the service says that another time may be better; every other one from 400 to 499 is for good. */
const TEMPORARY = new Set([408, 429]);

/** Sends texts by a form post as Twilio takes it, and those who do as Twilio does. */
export function createTextSender({ url, from, timeoutMs }: TextOptions): { send: Send; close(): Promise<void> } {
  const { address, headers } = withoutUserinfo(url);
  const agent = new Agent({ maxResponseSize: 65_536 });

  const send: Send = async (row) => {
    const { text } = JSON.parse(row.body) as { text: string };
    try {
      const answer = await request(address, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'Fairterm' },
        body: new URLSearchParams({ To: personOf(row.url), From: from, Body: text }).toString(),
        dispatcher: agent,
        signal: AbortSignal.timeout(timeoutMs),
      });
      await answer.body.dump();
      const isFinal = (status: number) => status >= 400 && status < 500 && !TEMPORARY.has(status);
      return outcomeOf(answer, 'The text service', isFinal, Date.now());
    } catch (thrown) {
      return outcomeOfFault(thrown, timeoutMs);
    }
  };
  return { send, close: () => agent.destroy() };
}
