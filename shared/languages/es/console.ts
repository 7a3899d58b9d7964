import type { ConsoleTexts } from '../en/console.ts';

/** Texts of the console in Spanish. */
export const consoleTexts: ConsoleTexts = {
  emails: {
    invitation: {
      subject: 'Su invitación a la consola de {merchant}',
      intro: '{merchant} le ha invitado a la consola de sus pedidos y su configuración.',
      button: 'Aceptar la invitación',
      until: 'El enlace funciona una vez, durante 7 días.',
      unexpected: 'Si no esperaba este correo electrónico, puede ignorarlo.',
    },
    'sign-in': {
      subject: 'Inicie sesión en la consola de {merchant}',
      intro: 'Abra este enlace en el navegador en el que lo solicitó, para iniciar sesión en la consola de {merchant}.',
      button: 'Iniciar sesión',
      until: 'El enlace funciona una vez, durante 15 minutos.',
      unexpected: 'Si no lo solicitó, puede ignorar este correo electrónico: nadie ha iniciado sesión.',
    },
  },
};
