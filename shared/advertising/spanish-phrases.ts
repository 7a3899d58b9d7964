import type { Phrases } from './phrases.ts';

const PER = String.raw`(?:(?: ?\/ ?| al | por | a la | cada )(?:mes(?:es)?\b|semana|quincena|trimestre|ano)| cada N\d+ (?:semanas|meses))`;
const IS = String.raw`(?: (?:es|son|sera|seria|seran|serian|mensual|fij[oa]|minim[oa]|total)){0,2}(?: de| del|:)?(?: solo| tan solo| apenas)? ?`;
/** Not behind a word that says there is none. */
const NONE = String.raw`(?<!\b(?:sin|no hay|ningun|ninguna) )`;
const DOWN = String.raw`(?:pago inicial|cuota inicial|enganche|entrada|anticipo|pago de entrada)`;
const PAYMENT = String.raw`(?:pagos?|cuotas?|mensualidad(?:es)?|quincenas|abonos?|plazos?)`;

/** What a Spanish advertisement calls its figures. Written without accents, as plain text is. @see `Phrases` */
export const spanish: Phrases = [
  [
    'firstPeriod',
    String.raw`\bprimer(?:a)? ${PAYMENT}(?: mensual)? (?:vence|se vence|vencera|se hace|es)(?: a los| en)? {months} mes(?:es)?(?: y {days} dias?)?\b`,
    String.raw`\bprimer(?:a)? ${PAYMENT}(?: mensual)? (?:vence|se vence|vencera|se hace|es)(?: a los| en)? {days} dias?\b`,
  ],
  [
    'deferral',
    String.raw`\b(?:sin (?:pagos?|pagar(?: nada)?|cuotas)|no (?:pague|paga|pagas)(?: nada)?) (?:durante|por|en|hasta)(?: l[oa]s)?(?: primer[oa]s)?(?: (?:{months} mes(?:es)?|{days} dias?|{years} anos?|N\d+ semanas?))?\b`,
  ],
  [
    'contingent',
    String.raw`\b(?:cargo|comision|recargo|multa)s? por (?:mora|atraso|pago tardio|pagos tardios|demora|retraso|devolucion|cheque devuelto)(?: de| es| hasta|:){0,2} ?{part}`,
    String.raw`{part} (?:por|de) (?:mora|atraso|pago tardio|demora|retraso)\b`,
    String.raw`{part} (?:de )?(?:descuento|rebaja|ahorro|menos|bonificacion|reembolso)\b`,
    String.raw`\b(?:ahorre|ahorra|descuento de|rebaja de)(?: hasta)? {part}`,
  ],
  [
    'bound',
    String.raw`\b(?:de|desde|entre) {money} (?:a|y|hasta) M\d+(?!${PER})`,
    String.raw`\b(?:minimo|minima|maximo|maxima|menos|hasta|superiores a|mayores a|mayores de|mas de|menores de|menores a)(?: de)?:? {money}(?!${PER})`,
    String.raw`{money}(?: o mas| en adelante| o menos| minimo| maximo)`,
    String.raw`N\d+(?:(?: ?[-,\/] ?| a | o | y | u )N\d+){0,8}(?: ?[-,\/] ?| a | o | y | u ){months} (?:meses|anos)`,
    String.raw`\bhasta(?: en)? {months} (?:meses|anos)`,
  ],
  [
    'fee',
    String.raw`${NONE}\bcomision(?:es)?(?: (?:de|por)(?: [a-z]{1,20}){1,2}?)?${IS}{part}`,
    String.raw`{part} (?:de|en|por) comision(?:es)?\b`,
    String.raw`\b(?:cargo|tarifa|cuota) (?:por|de) (?:apertura|tramite|servicio|solicitud|tramitacion|administracion|participacion)${IS}{part}`,
    String.raw`{part} (?:de|por) (?:apertura|tramite|tramitacion)\b`,
  ],
  [
    'downPayment',
    String.raw`${NONE}\b${DOWN}${IS}{part}`,
    String.raw`{part} (?:de|como) ${DOWN}\b`,
    String.raw`{money} (?:hoy|ahora|al contratar|al comprar)\b`,
  ],
  [
    'financeCharge',
    String.raw`\b(?:cargos? financieros?|costo financiero|cargos? por financiamiento)${IS}{money}`,
    String.raw`{money} de (?:cargos? financieros?|costo financiero)`,
  ],
  [
    'interest',
    String.raw`${NONE}\binter(?:es|eses)(?: totales| total)?${IS}{money}`,
    String.raw`{money} (?:de|en) interes(?:es)?\b`,
  ],
  ['price', String.raw`\b(?:precio|costo|coste|valor) total(?: [a-z]{1,20}){0,4}?${IS}{money}`],
  [
    'sum',
    String.raw`(?<!\b(?:order|cart|purchase) )\btotal(?: [a-z]{1,20}){0,4}?${IS}{money}`,
    String.raw`{money} en total\b`,
    String.raw`\b(?:importe|monto|cantidad) total(?: [a-z]{1,20}){0,3}?${IS}{money}`,
  ],
  ['first', String.raw`\bprimer(?:a)? ${PAYMENT}(?: mensual)?${IS}{money}`],
  [
    'last',
    String.raw`\b(?:{count} )?ultim[oa] ${PAYMENT}(?: mensual)?${IS}{money}`,
    String.raw`\b${PAYMENT} final${IS}{money}`,
    String.raw`{money} en el mes {months}`,
  ],
  [
    'payment',
    String.raw`{count} ${PAYMENT}(?: [a-z]{1,20}){0,3}? (?:de|a|por)(?: solo)? {amount}`,
    String.raw`{count} ${PAYMENT}(?: [a-z]{1,20}){0,2}? ?[:(] ?{amount}`,
    String.raw`{count} x {amount}`,
    String.raw`{months} meses (?:de|x|por) {money}`,
    String.raw`{money}${PER}`,
    String.raw`{money} (?:mensual|mensuales|semanal|semanales|quincenal|quincenales|trimestrales)\b`,
    String.raw`{money}(?=,? (?:durante|por|en|x) N\d+ meses\b)`,
    String.raw`{money} cada (?:uno|una|pago|cuota)\b`,
    String.raw`\b${PAYMENT}(?: mensual(?:es)?| semanal(?:es)?| quincenal(?:es)?)?${IS}{money}`,
  ],
  [
    'amountFinanced',
    String.raw`\b(?:importe|monto|cantidad|capital) financiad[oa]${IS}{money}`,
    String.raw`\b(?:importe|monto|cantidad|capital) a financiar${IS}{money}`,
  ],
  [
    'purchase',
    String.raw`\b(?:compra|pedido|orden|precio|precio al contado|precio de contado|precio de compra)${IS}{money}`,
    String.raw`{money} (?:de|en) (?:compra|compras|mercancia|productos)\b`,
    String.raw`\b(?:cuesta|vale|costando|valorado en)${IS}{money}`,
  ],
  [
    'loan',
    String.raw`\b(?:prestamo|credito|financiacion|financiamiento|principal)${IS}{money}`,
    String.raw`\b(?:financiar|financiando|financie|pedir prestados|tomar prestados) {money}`,
    String.raw`{money} (?:prestados|financiados|de prestamo|de credito)\b`,
    String.raw`\bpor cada {money}`,
  ],
  ['term', String.raw`{months} mes(?:es)?\b(?! de garantia)`, String.raw`{years} anos?\b(?! de (?:garantia|experiencia))`],
  ['count', String.raw`{count} ${PAYMENT}\b`],
];
