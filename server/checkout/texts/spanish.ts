import type { CheckoutTexts } from './english.ts';
import { spanishForms } from './spanish-forms.ts';
import { spanishLoan } from './spanish-loan.ts';
import { spanishNotices } from './spanish-notices.ts';
import { spanishOutcomes } from './spanish-outcomes.ts';

/** @see `english`. The Spanish of the United States; the buyer is addressed as `usted`. */
export const spanish: CheckoutTexts = {
  layout: {
    by: 'Financiamiento con Fairterm',
    sandbox: 'Modo de prueba.',
    sandboxMeaning: 'No se otorga ningún préstamo ni se consulta ningún crédito de verdad.',
    otherLanguage: 'English',
    privacy:
      'Su solicitud se envía únicamente al prestamista. {merchant} ve sus datos de contacto, pero nunca sus ingresos ni el motivo de la decisión del prestamista.',
    theShop: 'La tienda',
    steps: 'Pasos',
    pleaseCheck: 'Por favor revise: {title}',
    leave: 'Cancelar esta solicitud',
  },
  steps: { details: 'Sus datos', apply: 'Solicitud', plans: 'Plan de pagos', card: 'Tarjeta', agreement: 'Contrato' },
  order: {
    heading: 'Su pedido',
    article: 'Artículo',
    quantity: 'Cantidad: {n}',
    moreItems: ['y 1 artículo más', 'y {n} artículos más'],
    subtotal: 'Subtotal',
    free: 'Gratis',
    tax: 'Impuestos',
    total: 'Total',
    totalBeforeShipping: 'Total antes del envío',
    financed: 'Financiado',
    byCard: 'Con tarjeta',
  },
  form: {
    optional: '(opcional)',
    choose: 'Elija',
    notOurs:
      'No aceptamos este formulario, porque no vino de esta página tal como la mostramos. No ha pasado nada. Complételo aquí, por favor.',
    changed:
      'El contrato cambió desde que usted abrió esta página. Léalo otra vez, por favor, y fírmelo tal como se muestra aquí.',
    tooOld: 'Esta página estuvo abierta mucho tiempo. Revísela, por favor, y envíela una vez más.',
    check: ['Por favor revise un campo:', 'Por favor revise {n} campos:'],
  },
  ...spanishForms,
  ...spanishLoan,
  ...spanishNotices,
  ...spanishOutcomes,
};
