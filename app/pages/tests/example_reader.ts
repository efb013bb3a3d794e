import { unrestricted } from '#foundation/core/principal'
import type { Reader } from '../frame/page.js'

/** Somebody in Berlin who may do everything. */
export const exampleReader: Reader = {
  account: { id: 'acc_ada', name: 'Ada Lovelace', email: 'ada@acme.example' },
  principal: {
    organization: { id: 'org_acme', name: 'Acme', requireIfMatch: false },
    actor: { type: 'user', id: 'user_ada', name: 'Ada Lovelace' },
    permissions: unrestricted,
  },
  zone: 'Europe/Berlin',
  locale: 'en-GB',
  theme: null,
  now: '2026-11-19T13:20:00.000Z',
  may: () => true,
}
