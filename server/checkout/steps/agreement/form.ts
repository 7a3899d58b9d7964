import type { Language } from '../../../../shared/disclosure/texts.ts';
import { field, type FormFailure, Name, readForm, Ticked } from '../../web/forms.ts';
import type { Signature } from '../../signing/sign.ts';

/** What signing takes. */
export const signatureFields = {
  electronic: field(Ticked, 'electronic'),
  agree: field(Ticked, 'agree'),
  signedName: field(Name(200), 'signedName'),
};

/** Reads what a buyer posted to sign. What was on the screen comes back hidden: what does not is nothing that anybody signed. */
export function readSignature(body: unknown, language: Language): { ok: true; signature: Signature } | FormFailure {
  const read = readForm(signatureFields, body);
  if (!read.ok) return read;
  const shown = (body as Record<string, unknown>)['shownHash'];
  const { signedName: name } = read.values;
  return { ok: true, signature: { name, shownHash: typeof shown === 'string' ? shown : '', language } };
}
