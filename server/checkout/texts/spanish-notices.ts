import type { englishNotices } from './english-notices.ts';

/** @see `spanish` */
export const spanishNotices: typeof englishNotices = {
  adverseAction: {
    subject: 'Sobre su solicitud a {lender}',
    greeting: 'Hola, {name}:',
    action: 'El {date}, {lender} decidió no otorgarle el crédito que usted solicitó en {merchant}.',
    reasonsHeading: 'Los motivos principales',
    reasons: {
      'credit-history': 'Su historial de crédito, por ejemplo pagos atrasados, deudas sin pagar o un historial corto.',
      income: 'Sus ingresos, que no alcanzan para el monto que solicitó.',
      debt: 'Sus deudas, que son demasiado altas para sus ingresos.',
      identity: 'Su identidad, que no se pudo confirmar con los datos que usted dio.',
    },
    heading: 'Aviso de esta decisión',
    keep: 'Los motivos se muestran solo en esta dirección. Imprima o guarde esta página para conservarlos.',
    sent: 'También le enviamos este aviso por correo electrónico.',
    withheld: 'Aquí están los motivos principales. Son solo para la persona que compra y no se registran.',
    askHeading: 'Su derecho a conocer los motivos',
    ask: 'Usted tiene derecho a una declaración de los motivos específicos de esta decisión. Pídala a {lender} dentro de los 60 días siguientes al {date}; debe enviársela por escrito dentro de los 30 días siguientes a su petición.',
    bureauHeading: 'Su informe de crédito',
    bureau:
      'La decisión se basó, en todo o en parte, en información de un informe de {bureau}, una agencia de informes del consumidor. Usted tiene derecho a saber qué dice su expediente allí. La agencia no tomó la decisión y no puede decirle por qué se tomó. Debe darle una copia gratuita de su informe si la pide dentro de los 60 días siguientes a recibir este aviso. Usted tiene derecho a disputar ante la agencia todo lo que en él sea incorrecto o esté incompleto.',
    equalHeading: 'Igualdad de oportunidades de crédito',
    equal:
      'La ley federal de Igualdad de Oportunidades de Crédito (Equal Credit Opportunity Act) prohíbe a los acreedores discriminar a quienes solicitan crédito por motivos de raza, color, religión, origen nacional, sexo, estado civil o edad (siempre que la persona tenga capacidad para celebrar un contrato vinculante); porque todos o parte de sus ingresos provengan de un programa de asistencia pública; o porque la persona haya ejercido de buena fe algún derecho conforme a la Ley de Protección del Crédito al Consumidor (Consumer Credit Protection Act).',
    agency: 'La agencia federal que supervisa el cumplimiento de esta ley por parte de este acreedor es {agency}.',
    creditorHeading: 'El acreedor',
    missing:
      '{lender} debe enviarle un aviso por escrito de esta decisión dentro de un plazo de 30 días. Ese aviso también dirá {parts}.',
    missingParts: {
      address: 'a qué dirección escribirle',
      regulator: 'qué agencia federal lo supervisa',
      bureau: 'de quién es el informe de crédito que usó',
    },
    anotherCopy: 'Puede pedir a {lender} otra copia de este aviso, en inglés.',
  },
  copy: {
    open: 'Abrir su contrato',
    keepNow: 'Ábralo, e imprímalo o guárdelo ahora.',
    sent: 'Le enviamos el enlace por correo electrónico.',
    theLender: 'el prestamista',
  },
  document: {
    title: 'Su contrato con {lender}',
    headingLoan: 'Contrato de préstamo',
    headingCredit: 'Contrato de crédito',
    keep: 'Esta es su copia. Imprímala, o guarde esta página, desde el menú de su navegador.',
    parties: 'Partes',
    creditor: 'Acreedor',
    buyer: 'Prestatario',
    merchant: 'Comercio',
    order: 'Pedido',
    number: 'Número de contrato',
    byCardHeading: 'Pagado con tarjeta',
    byCard:
      'Su pedido suma {total}. De ese total, {financed} se financia con este contrato. El resto, {amount}, se paga con tarjeta, {card}, y no forma parte de él.',
    agreedTo: 'Lo que usted aceptó',
    signature: 'Firma',
    signed: 'Firmado electrónicamente por {name} el {date} a las {time} (UTC).',
  },
  agreementLetter: {
    subject: 'Su contrato con {lender}',
    greeting: 'Hola, {name}:',
    intro: 'El {date} usted firmó un contrato con {lender} por su pedido en {merchant}. Su copia, para leer, imprimir o guardar:',
    payments: 'Pagos',
    paymentsOf: ['{n} pago de {amount}', '{n} pagos de {amount}'],
    firstDue: 'Vencimiento del primer pago',
    byCard: 'Pagado con tarjeta',
    private: 'Quien tenga el enlace puede leer el contrato, así que no reenvíe este mensaje.',
  },
};
