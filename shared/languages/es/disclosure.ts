import type { DisclosureTexts } from '../texts.ts';

/** @see `DisclosureTexts`. Keeps the English term "APR", with a translation, because the buyer's agreement uses it. */
export const disclosure: DisclosureTexts = {
  language: 'es',
  locale: 'es-US',
  version: 2,
  months: ['{n} mes', '{n} meses'],
  days: ['{n} día', '{n} días'],
  example:
    'Ejemplo: una compra de {purchase}{down} a {months} con una tasa de porcentaje anual fija de {apr} APR requiere {payments}, por un total de {total}.',
  down: ' con un pago inicial de {downPayment}',
  firstPayment: 'un primer pago de {first}',
  levelPayments: ['{n} pago mensual de {monthly}', '{n} pagos mensuales de {monthly}'],
  lastPayment: 'un último pago de {last}',
  and: ' y ',
  firstDue: 'El primer pago vence {after} después de la fecha del préstamo, y los demás cada mes a partir de entonces.',
  feeLent: 'El préstamo incluye {kind} de {fee}, que ',
  inFinanceCharge: 'forma parte del cargo financiero.',
  feeKinds: {
    origination: 'una comisión de apertura',
    application: 'una comisión de solicitud',
    participation: 'una comisión de participación',
    service: 'una comisión de servicio',
  },
  noFinanceCharge: 'No hay cargo financiero.',
  rates:
    'Las tasas van de {minApr} APR a {maxApr} APR y dependen de su crédito, del importe y del plazo; no todas las personas reúnen los requisitos para la tasa del ejemplo.',
  limits: 'El financiamiento está sujeto a aprobación de crédito, para compras de {min} a {max}.',
  promotion: 'Las tasas promocionales son para compras del {from} al {to}.',
  states: 'No disponible para residentes de {states}.',
  lender: 'Los préstamos los otorga {lender}.',
  notice: 'Residentes de {state}: {notice}',
  outOfRange: 'Se ofrece financiamiento para compras de {min} a {max}, sujeto a aprobación de crédito.',
  notOffered: 'No se ofrece financiamiento para esta compra.',
};

/** The same claims as in English. */
export const claims =
  /\bsin inter(?:és|es|eses)(?:\s\p{L}+){0,3}\s(?:si|cuando|siempre que|hasta que)\b|\binter(?:és|es|eses) diferidos?\b|\b(?:igual|mismo(?: precio)?) (?:que|como) (?:al |de |en )?(?:contado|efectivo)\b|(?<!\b(?:no|nunca|nada)\b[^.!?]{0,40})\bgarantiza\p{L}*/iu;
