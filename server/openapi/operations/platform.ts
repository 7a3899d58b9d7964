import { ApplicationList } from '../../../shared/wire/application.ts';
import { ApplicationQuery } from '../../../shared/wire/application-query.ts';
import { applicationList } from '../examples/applications.ts';
import { applicationQueryWords } from '../words/platform.ts';
import type { Operation } from './operation.ts';

export const platformOperations: readonly Operation[] = [
  {
    id: 'listApplications',
    method: 'get',
    path: '/api/application',
    tag: 'Applications',
    summary: 'List applications',
    description:
      "What the token's claims let be seen: the applications of its `TenantID`, and of those only the ones of its `MerchantID`, `ProgramID` and `BuyerID`, where it has them. Nothing that matches is an empty list. A parameter that is not listed here is refused.\n\nThe header `link` has the address of the next page, by keyset: it takes as long on the last page as on the first, and what is added meanwhile moves nothing. An `offset` is counted off row by row: the deeper, the longer it takes. Sorted by `createdAt`, each application is listed once. Sorted by `updatedAt.asc`, what changes while one reads comes again further on; by `updatedAt.desc` it would be missed.\n\nA token with a `MerchantID` or a `ProgramID` shows no reason of a denial, and nothing that a bureau holds against a buyer: the status codes `3001xx` to `3004xx` are `300000` there, and `4001xx` to `4003xx` are `400000`.",
    caller: 'platform',
    wording: 'platform',
    query: {
      struct: ApplicationQuery,
      words: applicationQueryWords,
      example: { 'status.eq': 'CHECKOUT_COMPLETED', 'updatedAt.gte': '2026-01-01', 'metadata.eq': true, limit: 50 },
    },
    answers: {
      200: {
        description: 'A page of applications.',
        body: ApplicationList,
        headers: ['cache-control', 'link'],
        example: applicationList,
      },
    },
    refusals: ['invalid-parameter', 'merchant-conflict'],
  },
];
