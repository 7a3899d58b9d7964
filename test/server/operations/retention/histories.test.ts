/** Random histories of buyers, legal holds, erasures and sweeps. After each step, exactly the data that the rules allow is deleted. */
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { readConfig } from '../../../../server/base/config/config.ts';
import { eraseBuyer } from '../../../../server/operations/retention/buyer-data.ts';
import { releaseHold, setHold } from '../../../../server/operations/retention/legal-holds.ts';
import { sweepOnce } from '../../../../server/operations/retention/sweep.ts';
import { dateIn, type Instant, lastUsDayEnd, plusDays } from '../../../../server/base/time.ts';
import { addDays } from '../../../../shared/dates.ts';
import { findApplication } from '../../../../server/lending/applications/store.ts';
import { standardProgram } from '../../../../server/lending/programs/standard-program.ts';
import { campaign, campaignTimeoutMs } from '../../../support/campaign.ts';
import { createCart } from '../../../support/checkout.ts';
import { storedDeliveries } from '../../../support/stored.ts';
import { describeOnEveryEngine } from '../../../support/databases.ts';
import { startService, type TestMerchant, type TestService } from '../../../support/service.ts';
import { buyer, createPeople, type People, prefilled } from './people.ts';

/** The actions of the merchant after a signature; undefined without a signature. */
const KINDS = {
  'sent a cart': undefined,
  denied: undefined,
  pending: [],
  settled: ['authorize', 'settle'],
  canceled: ['cancel'],
  refunded: ['authorize', 'settle', 'refund'],
};
type Kind = keyof typeof KINDS;

interface Person {
  kind: Kind;
  name: string;
  applicationId: string | undefined;
  isHeld: boolean;
  /** The end of the 90 days after the last payment of the loan, or after its refund; undefined without a loan. */
  loanKeptUntil: Instant | undefined;
  /** Tables with data of the person. */
  tables: Set<string>;
  /** Whether there are e-mails with a notice, which are retained like the application, and others. */
  hasNotices: boolean;
  hasMessages: boolean;
}

const days = fc.integer({ min: 1, max: 400 });
const event = fc.record({
  type: fc.constantFrom('sweep', 'sweep', 'hold', 'release', 'erase'),
  afterDays: fc.integer({ min: 0, max: 200 }),
  /** Index of the person, modulo their number. */
  person: fc.nat(9),
  retention: fc.record({ cartContactDays: days, applicationDays: days, purchaseDays: days, messageDays: days }),
});
type Event = typeof event extends fc.Arbitrary<infer T> ? T : never;

/** The details of an application are deleted before its messages, and then the buyer is erased. */
const messagesOutliveDetails: [Pick<Person, 'kind' | 'isHeld'>[], Event[]] = [
  [{ kind: 'canceled', isHeld: false }],
  (['sweep', 'erase'] as const).map((type) => ({
    type,
    afterDays: 100,
    person: 0,
    retention: { cartContactDays: 47, applicationDays: 69, purchaseDays: 71, messageDays: 298 },
  })),
];

describeOnEveryEngine('The data of buyers', (engine) => {
  let service: TestService;
  let merchant: TestMerchant;
  let people: People;
  let created = 0;
  beforeAll(async () => {
    service = await startService(engine);
    merchant = await service.createMerchant();
    people = createPeople(service, merchant);
  });

  async function createPerson(kind: Kind): Promise<Person> {
    // Names of people have no digits.
    const name = `Person${String(++created).replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)]!)}x`;
    let applicationId: string | undefined;
    let loanKeptUntil: Instant | undefined;
    if (kind === 'sent a cart') {
      const cart = await createCart(merchant, prefilled(name));
      await merchant.post(`/carts/${cart.id}/email`, { email: buyer(name).email, name });
    } else if (kind === 'denied') applicationId = (await people.deny(name)).application.id;
    else {
      const { application, transactionId } = await people.sign(name, { offerId: 'standard-6' });
      applicationId = application.id;
      for (const type of KINDS[kind]) await merchant.post(`/transactions/actions/${transactionId}`, { type });
      const { payments } = (await findApplication(service.database.query, application.id))!.paymentAgreements[0]!.disclosure;
      const lastDueOn = payments.at(-1)!.dueOn;
      const endsOn = { settled: lastDueOn, refunded: dateIn(service.clock.now(), standardProgram.timeZone) }[kind as string];
      loanKeptUntil = endsOn && lastUsDayEnd(addDays(endsOn, 90));
    }
    const tables = new Set((await people.tablesWith(name))[name]);
    const all = ['carts', 'outbox', 'applications', 'transactions', 'agreement_documents'];
    const count = kind === 'sent a cart' ? 2 : kind === 'denied' ? 3 : 5;
    expect([kind, tables]).toEqual([kind, new Set(all.slice(0, count))]);
    const emails = (await storedDeliveries(service.database)).filter(({ url }) => url.includes(buyer(name).email.split('@')[0]!));
    const hasNotices = emails.some(({ notice }) => notice !== null);
    return {
      kind,
      name,
      applicationId,
      isHeld: false,
      loanKeptUntil,
      tables,
      hasNotices,
      hasMessages: emails.some(({ notice }) => notice === null),
    };
  }

  /** Deletes what the rules of `server/docs/operations.md` delete on a day. */
  function expectSwept(person: Person, at: Instant, day: number, retention: Event['retention']): void {
    const { kind, isHeld, tables } = person;
    if (isHeld) return;
    if (day > retention.messageDays) person.hasMessages = false;
    if (!person.hasMessages && !person.hasNotices) tables.delete('outbox');
    if (kind === 'pending') return;
    const isPurchase = KINDS[kind] !== undefined;
    const finalDays = Math.max(retention.applicationDays, isPurchase ? retention.purchaseDays : 0);
    if (kind !== 'sent a cart' && day > finalDays && !hasLoan(person, at)) {
      for (const name of ['carts', 'applications', 'transactions']) tables.delete(name);
      person.hasNotices = false;
    }
    // The last day of a cart is the seventh after it is created.
    if (!isPurchase && day > retention.cartContactDays + 7) tables.delete('carts');
    if (!person.hasMessages && !person.hasNotices) tables.delete('outbox');
  }

  const hasLoan = ({ loanKeptUntil }: Person, at: Instant) => loanKeptUntil !== undefined && at < loanKeptUntil;

  /** The reason for which a person cannot be erased at a time; undefined if they can be. */
  function obstacleTo(person: Person, at: Instant): RegExp | undefined {
    const { kind, isHeld, tables } = person;
    if (isHeld) return /is under a legal hold/;
    if ([...tables].every((name) => name === 'agreement_documents')) return /nothing is stored/;
    if (!tables.has('applications')) return undefined;
    if (kind === 'pending') return /is PENDING/;
    return hasLoan(person, at) ? /must be retained for 90 days after it/ : undefined;
  }

  it(
    'are deleted when they are due, are erased completely on request, and stay under a legal hold',
    async () => {
      const chosenKinds = fc.constantFrom(...(Object.keys(KINDS) as Kind[]));
      const buyers = fc.array(fc.record({ kind: chosenKinds, isHeld: fc.boolean() }), { minLength: 3, maxLength: 5 });
      const events = fc.array(event, { minLength: 4, maxLength: 12, size: 'max' });
      await fc.assert(
        fc.asyncProperty(buyers, events, async (chosen, history) => {
          const { database } = service;
          const start = service.clock.now();
          const persons: Person[] = [];
          const hold = async (person: Person, at: Instant) => {
            if (!person.applicationId || !person.tables.has('applications')) return;
            await setHold(service.database, person.applicationId, 'A case', at);
            person.isHeld = true;
          };
          for (const { kind, isHeld } of chosen) {
            const person = await createPerson(kind);
            if (isHeld) await hold(person, start);
            persons.push(person);
          }
          let day = 0;
          for (const { type, afterDays, person: index, retention } of history) {
            // The database rejects the deletion of agreements that are younger than two years by its own clock.
            day = Math.min(725, day + afterDays);
            const at = plusDays(start, day);
            const person = persons[index % persons.length]!;
            const { applicationId, name, tables } = person;
            if (type === 'sweep') {
              const onError = (thrown: unknown) => {
                throw thrown;
              };
              const all = { ...readConfig({}).retention, securityEventDays: 3_650, ...retention };
              await sweepOnce({ database, realClock: { now: () => at }, retention: all, onError });
              for (const one of persons) expectSwept(one, at, day, retention);
            } else if (type === 'hold') await hold(person, at);
            else if (type === 'release' && person.isHeld) {
              await releaseHold(database, applicationId!, 'The case is closed', at);
              person.isHeld = false;
            } else if (type === 'erase') {
              const obstacle = obstacleTo(person, at);
              if (applicationId && !obstacle) await people.age(applicationId);
              const erased = eraseBuyer(database, { email: buyer(name).email }, at);
              if (obstacle) await expect(erased).rejects.toThrow(obstacle);
              else {
                await erased;
                for (const table of tables) if (table !== 'agreement_documents') tables.delete(table);
                person.hasNotices = person.hasMessages = false;
              }
            }
            const found = await people.tablesWith(...persons.map((one) => one.name));
            for (const one of persons) {
              const actual = { type, day, kind: one.kind, tables: new Set(found[one.name]) };
              expect(actual).toEqual({ type, day, kind: one.kind, tables: one.tables });
            }
          }
          for (const { isHeld, applicationId } of persons) if (isHeld) await releaseHold(database, applicationId!, 'End', start);
        }),
        // Shrinking would take minutes.
        {
          ...campaign<[Pick<Person, 'kind' | 'isHeld'>[], Event[]]>(2, engine === 'sqlite' ? 0 : 1),
          endOnFailure: true,
          examples: [messagesOutliveDetails],
        },
      );
    },
    campaignTimeoutMs,
  );
});
