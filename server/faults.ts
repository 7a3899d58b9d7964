/** What is logged of a fault: where it happened, not what data it held. */
export function faultOf(thrown: unknown): Record<string, unknown> {
  const { name, refusal, code = refusal, message = '', stack = '' } = thrown as Partial<Record<string, string>>;
  // The stack begins with the message, which may have lines that look like places in the code.
  const places = stack.slice(Math.max(0, stack.indexOf(message)) + message.length).split('\n');
  return { fault: name ?? typeof thrown, code, frames: places.filter((line) => line.trimStart().startsWith('at ')) };
}
