import { orders } from '../../financing.ts';

const headings = {
  placed: 'Thank you. We are confirming your order.',
  paid: 'Thank you. Your order is paid.',
  rejected: 'Your order could not be financed.',
};

/** The URL only identifies the order. The callback sets it to paid, and may arrive after the buyer. */
export default async function ThankYou({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const { orderRef } = await searchParams;
  const order = orders().find(String(orderRef));
  return <h1>{order ? headings[order.status] : 'There is no such order.'}</h1>;
}
