import type { WidgetTexts } from '../en/widget.ts';

/** @see the English texts. */
export const widget: WidgetTexts['widget'] = {
  label: 'Pagar a plazos',
  estimate: 'Desde {amount} al mes',
  more: 'Más información',
  retry: 'No se cargó. Reintentar',
};

export const widgetDetails: WidgetTexts['widgetDetails'] = {
  title: 'Pago a plazos',
  close: 'Cerrar',
  amount: 'Importe',
  plans: 'Planes para {amount}',
  tier: 'Estos planes son para el nivel de crédito “{tier}”.',
  otherTiers: 'En otros niveles, la APR es de {minApr} a {maxApr}.',
  downPaymentToday: 'Cada plan requiere un pago inicial de {amount}, que vence hoy.',
  steps: 'Cómo funciona',
  apply: 'Escriba sus datos y envíe la solicitud.',
  choose: 'Si se le aprueba, elija un plan.',
  sign: 'Firme el contrato y pague cada mes.',
  soft: 'La solicitud no afecta su puntaje de crédito.',
  hard: 'La solicitud puede afectar su puntaje de crédito.',
  hardLater: 'Aceptar un plan puede afectarlo.',
  start: 'Continuar con la solicitud',
  example: 'Ejemplo',
  picture: 'La imagen muestra cada pago: el capital y, debajo, los intereses. Se supone que cada pago se hace en su fecha.',
  purchase: 'Compra',
  downPayment: 'Pago inicial',
  amountFinanced: 'Importe financiado',
  apr: 'APR',
  term: 'Plazo',
  monthly: 'Pago mensual',
  first: 'Primer pago',
  last: 'Último pago',
  financeCharge: 'Cargo financiero',
  fees: 'Comisiones',
  total: 'Total de pagos',
};

export const widgetCheckout: WidgetTexts['widgetCheckout'] = {
  opening: 'Abriendo la página de pago',
  checkout: 'Pago',
  closeCheckout: 'Cerrar la página de pago',
};
