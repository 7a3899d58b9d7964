/** Updates a payment session, as a shop's own code does: no route of Medusa does it. */
export async function POST({ body, params, scope }, response) {
  response.json(await scope.resolve('payment').updatePaymentSession({ id: params.id, ...body }));
}
