import type { CheckoutTexts } from './english.ts';
import type { englishOutcomes } from './english-outcomes.ts';

/** @see `spanish` */
export const spanishOutcomes: Pick<CheckoutTexts, keyof typeof englishOutcomes> = {
  onward: { return: 'Volver a {merchant}', payAnotherWay: 'Volver a {merchant} y pagar de otra forma' },
  declined: {
    title: 'Esta vez no podemos ofrecerle financiamiento',
    lead: '{lender} no aprobó esta solicitud. No se ha comprado nada y no se le cobrará nada.',
  },
  unavailable: {
    title: 'No hay financiamiento disponible para este pedido',
    inState: '{lender} no ofrece ningún plan para un pedido de {total} a residentes de {state}.',
    forAmount: 'No se ofrece ningún plan para un pedido de {total}.',
    today: 'Hoy no se ofrece ningún plan.',
    limits: 'Se pueden financiar pedidos de {least} a {most}; este suma {total}.',
    nothingBought: 'No se ha comprado nada y no se consultó a ningún prestamista.',
    byLender: '{lender} revisó su solicitud y no tiene ningún plan que ofrecerle para este pedido.',
    nothingCharged: 'No se ha comprado nada y no se le cobrará nada.',
    changeDetails: 'Cambiar sus datos',
  },
  noLender: {
    title: 'El financiamiento no está disponible en este momento',
    lead: 'No pudimos consultar a un prestamista sobre su solicitud. No fue rechazada, no se ha comprado nada y no se le cobrará nada.',
    again: 'Intentar de nuevo',
  },
  waiting: {
    title: 'El prestamista está revisando su solicitud',
    lead: '{lender} tiene su solicitud y todavía no ha respondido.',
    nothing: 'No se ha comprado nada y no hace falta que envíe otra solicitud.',
  },
  waitingSigned: {
    title: 'Estamos terminando su compra',
    lead: 'Usted ya firmó y su firma está guardada. {lender} todavía no ha confirmado el contrato.',
    nothing: 'No hace falta que firme otra vez.',
  },
  checking: {
    byItself:
      'Puede esperar aquí, mientras esta página consulta por sí sola cada pocos segundos, o guardar la dirección de esta página y volver más tarde.',
    byHand: 'Puede esperar aquí y consultar de nuevo, o guardar la dirección de esta página y volver más tarde.',
    again: 'Consultar de nuevo',
  },
  needsAction: {
    title: 'Necesitamos algo de usted',
    lead: '{lender} todavía no puede decidir.',
    notDenied: 'Su solicitud no fue rechazada, no se ha comprado nada y los datos de su pedido se conservan.',
    applyAgain: 'Volver a enviar la solicitud',
    changeDetails: 'Cambiar sus datos',
    actions: {
      'unfreeze-credit-file': {
        what: 'Su expediente de crédito está congelado y {lender} no pudo leerlo.',
        how: 'Pida a las agencias de informes de crédito, Equifax, Experian y TransUnion, que levanten el congelamiento, por internet o por teléfono. Es gratis y se hace efectivo en el plazo de una hora. Después vuelva a enviar la solicitud.',
      },
      'confirm-identity': {
        what: '{lender} no pudo confirmar su identidad.',
        how: 'Revise que su nombre, su fecha de nacimiento y los últimos 4 dígitos de su número de Seguro Social o ITIN sean los que aparecen en sus documentos. Después vuelva a enviar la solicitud.',
      },
      'correct-details': {
        what: 'Algunos de sus datos no coinciden con los que tiene {lender}.',
        how: 'Revise su nombre, su domicilio y su número de teléfono, sobre todo si se mudó hace poco. Después vuelva a enviar la solicitud.',
      },
    },
  },
  cancelling: {
    title: '¿Cancelar su solicitud?',
    lead: 'No se ha comprado nada. Si cancela, {lender} da por terminada esta solicitud y usted no podrá retomarla.',
    submit: 'Cancelar mi solicitud',
    back: 'Seguir con la compra',
  },
  cancelled: {
    title: 'Su solicitud está cancelada',
    lead: 'No se ha comprado nada y no se le cobrará nada.',
  },
  expired: {
    title: 'Este enlace de pago ha vencido',
    lead: 'No se ha comprado nada. Por favor vuelva a la tienda y comience de nuevo.',
  },
  completed: {
    title: 'Esta compra está completa',
    lead: 'Usted firmó el contrato y {merchant} tiene su pedido.',
    part: '{rest} se pagan con tarjeta, {card}.',
    copy: 'Su contrato',
    signed: 'Firmado por {name} el {date}.',
    keep: 'Imprima o guarde esta página para conservarlo.',
    notIntact: 'La copia que guardamos no es la que usted firmó, por eso no la mostramos. Por favor pida su contrato a {lender}.',
  },
  inProgress: {
    title: 'Este pago ya está en curso',
    lead: 'Alguien ya escribió sus datos para este pedido en {merchant}. Este enlace no muestra esos datos.',
    goOn: 'Si fue usted, continúe en la ventana donde comenzó. Si llegó aquí con el botón Atrás, use el botón Adelante.',
    startAgain: 'O comience de nuevo aquí: escribe sus datos otra vez y la solicitud anterior termina.',
    submit: 'Comenzar de nuevo',
    note: 'Está comenzando de nuevo. Cuando envíe este formulario, la solicitud anterior termina.',
  },
  signedElsewhere: {
    title: 'Este pedido se está terminando',
    lead: 'El contrato de este pedido en {merchant} está firmado y el prestamista lo está confirmando.',
    copy: 'Para proteger a quien compra, este enlace no muestra nada más. Para ver cómo termina, abra la ventana donde se firmó.',
  },
  boughtElsewhere: {
    title: 'Este pedido está completo',
    lead: '{merchant} tiene el pedido.',
    copy: 'Para proteger a quien compra, este enlace no muestra el contrato. Ábralo en la ventana donde se firmó o desde el correo electrónico correspondiente.',
  },
  startedAgain: {
    title: 'Este pago se comenzó de nuevo en otro lugar',
    lead: 'Alguien abrió el enlace de este pago, tal vez usted en otra ventana o en otro dispositivo, y comenzó de nuevo allí. La solicitud que comenzó aquí terminó y con ella no se compró nada.',
    nothingShown: 'Lo que escribió aquí no se mostró allí.',
    again: 'Abrir el enlace de este pago',
  },
  unknownLink: {
    title: 'No conocemos este enlace de pago',
    lead: 'Puede estar incompleto. Por favor ábralo de nuevo desde la tienda o desde el mensaje que recibió.',
  },
  unreadable: { title: 'No pudimos leer este formulario', lead: 'Por favor regrese y envíelo de nuevo.' },
  tooManyRequests: {
    title: 'Por favor espere un momento',
    lead: 'Recibimos demasiadas solicitudes desde su red. Por favor abra esta página de nuevo en un minuto; continuará donde estaba.',
  },
  trouble: {
    title: 'Ocurrió un error de nuestra parte',
    lead: 'No se le ha cobrado nada. Por favor vuelva a cargar esta página en un momento; continuará donde estaba.',
    again: 'Seguir con la compra',
  },
};
