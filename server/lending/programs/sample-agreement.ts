import type { Agreement, AgreementText } from '../../../shared/programs/documents.ts';

/** Version of the sample agreements. Raise it with every change of their text. */
const version = 'sample 3';

const english = (arbitration: AgreementText['sections']): AgreementText => ({
  promise: [
    'I, {buyer}, promise to pay {lender} the principal of {principal}, with interest at the fixed rate of {interestRate} per year on the unpaid principal, in {paymentCount} monthly payments. The first payment is due on {firstDue}, and the last on {lastDue}. The amount and the due date of every payment are listed in the payment schedule.',
  ],
  sections: [
    {
      heading: 'The loan',
      paragraphs: [
        '{lender} pays the proceeds of this loan to {merchant} for the goods and services that I bought there. “I” and “my” mean the borrower, {buyer}. “You” and “your” mean {lender} and anyone to whom this agreement is assigned.',
        'The annual percentage rate of {apr}, the finance charge of {financeCharge}, the amount financed of {amountFinanced}, and the total of payments of {totalOfPayments} are explained in the Truth in Lending disclosure, which is part of this agreement.',
      ],
    },
    {
      heading: 'Interest and payments',
      topic: 'payments',
      paragraphs: [
        '{startOfInterest}',
        'Interest is calculated monthly: the interest for each month is one twelfth of the yearly interest on the unpaid principal. You apply each payment first to the interest that is due, then to principal, and then to late charges.',
        'A payment that I make before its due date does not reduce the amount of the next payments, but it repays the principal earlier.',
        '{fees} {oddDaysInterest} The first payment is {firstPayment}.',
      ],
    },
    { heading: 'Late payments', paragraphs: ['{lateCharge}'] },
    {
      heading: 'Paying early',
      paragraphs: ['I may pay all or part of what I owe at any time without a penalty.'],
    },
    {
      heading: 'Default',
      topic: 'default',
      paragraphs: ['I am in default if:'],
      items: [
        'I do not make a payment within 30 days of its due date;',
        'I made a false statement in my application that was important to your decision; or',
        'a bankruptcy case is started by or against me.',
      ],
    },
    {
      heading: 'What you may do after a default',
      paragraphs: [
        'After a default, and after any notice and any time to cure that the law gives me, you may require me to pay at once all of the unpaid principal and accrued interest. You may delay using a right without losing it. Where the law allows it, I will pay your reasonable costs of collection.',
      ],
    },
    {
      heading: 'Returns and problems with the purchase',
      paragraphs: [
        'I will contact {merchant} about returns, refunds, and problems with what I bought. You will credit any refund that you receive from {merchant} to my loan. Until then, my payments remain due.',
        'This does not limit the claims and defenses that the law or a notice in this agreement allows me to assert against you.',
      ],
    },
    {
      heading: 'Credit reporting',
      topic: 'credit-reporting',
      paragraphs: [
        'You may report information about my account to credit bureaus. Late payments, missed payments, or other defaults on my account may be reflected in my credit report. If I believe that information you report is inaccurate, I may write to you.',
      ],
    },
    {
      heading: 'Contacting each other',
      paragraphs: [
        'You may contact me at the addresses and telephone number that I gave you. I will notify you within 30 days if they change.',
      ],
    },
    ...arbitration,
    {
      heading: 'General terms',
      paragraphs: [
        'You may assign this agreement. I may not assign it without your consent. If any part of it cannot be enforced, the rest remains in effect. Federal law and, where it does not apply, the law of the state where I live govern this agreement. No term of it takes away a right that the law protects.',
      ],
    },
  ],
});

const spanish = (arbitration: AgreementText['sections']): AgreementText => ({
  promise: [
    'Yo, {buyer}, prometo pagar a {lender} el capital de {principal}, con intereses a la tasa fija de {interestRate} al año sobre el capital pendiente, en {paymentCount} pagos mensuales. El primer pago vence el {firstDue} y el último, el {lastDue}. El importe y la fecha de vencimiento de cada pago figuran en el calendario de pagos.',
  ],
  sections: [
    {
      heading: 'El préstamo',
      paragraphs: [
        '{lender} paga el producto de este préstamo a {merchant} por los bienes y servicios que compré allí. “Yo” y “mi” se refieren al prestatario, {buyer}. “Ustedes” se refiere a {lender} y a cualquier persona a quien se ceda este contrato.',
        'La tasa de porcentaje anual de {apr}, el cargo financiero de {financeCharge}, el importe financiado de {amountFinanced} y el total de pagos de {totalOfPayments} se explican en la divulgación de la Ley de Veracidad en los Préstamos, que forma parte de este contrato.',
      ],
    },
    {
      heading: 'Intereses y pagos',
      topic: 'payments',
      paragraphs: [
        '{startOfInterest}',
        'Los intereses se calculan por mes: los intereses de cada mes son una doceava parte del interés anual sobre el capital pendiente. Ustedes aplican cada pago primero a los intereses vencidos, después al capital y después a los cargos por pago atrasado.',
        'Un pago que hago antes de su vencimiento no reduce el importe de los pagos siguientes, pero paga antes el capital.',
        '{fees} {oddDaysInterest} El primer pago es de {firstPayment}.',
      ],
    },
    { heading: 'Pagos atrasados', paragraphs: ['{lateCharge}'] },
    {
      heading: 'Pago anticipado',
      paragraphs: ['Puedo pagar en cualquier momento todo o una parte de lo que debo, sin penalidad.'],
    },
    {
      heading: 'Incumplimiento',
      topic: 'default',
      paragraphs: ['Incumplo este contrato si:'],
      items: [
        'no hago un pago dentro de los 30 días siguientes a su vencimiento;',
        'hice en mi solicitud una declaración falsa que fue importante para su decisión; o',
        'se inicia un caso de bancarrota por mí o en mi contra.',
      ],
    },
    {
      heading: 'Lo que pueden hacer después de un incumplimiento',
      paragraphs: [
        'Después de un incumplimiento, y de los avisos y plazos para subsanarlo que la ley me otorgue, ustedes pueden exigirme que pague de inmediato todo el capital pendiente y los intereses acumulados. Pueden demorar el ejercicio de un derecho sin perderlo. Cuando la ley lo permita, pagaré sus costos razonables de cobranza.',
      ],
    },
    {
      heading: 'Devoluciones y problemas con la compra',
      paragraphs: [
        'Me comunicaré con {merchant} sobre devoluciones, reembolsos y problemas con lo que compré. Ustedes acreditarán a mi préstamo todo reembolso que reciban de {merchant}. Hasta entonces, mis pagos siguen venciendo.',
        'Esto no limita las reclamaciones y defensas que la ley o un aviso de este contrato me permiten hacer valer contra ustedes.',
      ],
    },
    {
      heading: 'Informes de crédito',
      topic: 'credit-reporting',
      paragraphs: [
        'Ustedes pueden comunicar información sobre mi cuenta a las agencias de informes de crédito. Los pagos atrasados, los pagos no realizados u otros incumplimientos de mi cuenta pueden reflejarse en mi informe de crédito. Si creo que la información que comunican es inexacta, puedo escribirles.',
      ],
    },
    {
      heading: 'Comunicaciones',
      paragraphs: [
        'Ustedes pueden comunicarse conmigo en las direcciones y el número de teléfono que les di. Si cambian, se lo notificaré dentro de los 30 días.',
      ],
    },
    ...arbitration,
    {
      heading: 'Términos generales',
      paragraphs: [
        'Ustedes pueden ceder este contrato. Yo no puedo cederlo sin su consentimiento. Si una parte no puede hacerse cumplir, el resto sigue vigente. Rigen este contrato la ley federal y, en lo que esta no se aplique, la ley del estado donde vivo. Ningún término me quita un derecho que la ley protege.',
      ],
    },
  ],
});

const arbitration = {
  en: {
    heading: 'Arbitration',
    paragraphs: [
      'Either of us may require that a dispute about this agreement be decided by an arbitrator of the American Arbitration Association under its consumer rules instead of by a court. You will pay its fees beyond what a court would charge me. A dispute within the limit of a small claims court may be decided there. I may reject this section by writing to you within 60 days of signing, without any other effect on this agreement.',
    ],
  },
  es: {
    heading: 'Arbitraje',
    paragraphs: [
      'Cualquiera de las partes puede exigir que una disputa sobre este contrato la decida un árbitro de la American Arbitration Association conforme a sus reglas para consumidores, en lugar de un tribunal. Ustedes pagarán las tarifas que excedan lo que me cobraría un tribunal. Las disputas dentro del límite de un tribunal de reclamos menores pueden decidirse allí. Puedo rechazar esta sección por escrito dentro de los 60 días siguientes a la firma, sin ningún otro efecto sobre este contrato.',
    ],
  },
};

/**
 * Sample agreements of the sandbox, in the form of a consumer installment loan. A lender replaces them with its own. 32 CFR 232.8(c)
 * prohibits arbitration of disputes with covered borrowers.
 */
export const sampleDocuments: Record<'agreement' | 'coveredBorrower', Agreement> = {
  agreement: { version, en: english([arbitration.en]), es: spanish([arbitration.es]) },
  coveredBorrower: { version: `${version} (military)`, en: english([]), es: spanish([]) },
};
