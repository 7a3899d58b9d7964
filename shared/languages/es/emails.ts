import type { EmailTexts } from '../en/emails.ts';

export const emails: EmailTexts = {
  greeting: 'Hola, {name}:',
  greetingWithoutName: 'Hola:',
  contacts: {
    merchant: 'Tienda, para preguntas sobre su pedido',
    operator: 'Operador de este servicio (“nosotros”)',
    lender: 'Prestamista',
    complaints: 'Quejas sobre el prestamista',
  },
  reference: 'Número de referencia',
  cart: {
    subject: 'Su compra en {merchant}',
    intro: '{merchant} ha preparado una compra para usted.',
    button: 'Continuar con la compra',
    until: 'El enlace es válido hasta el {date}.',
    total: 'Total: {amount}',
    beforeShipping: 'Total antes del envío: {amount}',
    asLowAs: 'Desde {amount} al mes.',
  },
};
