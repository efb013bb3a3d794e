import type { ConformanceOptions } from '@tarmac/plugin-kit/testing'
import { GooglePlayFake } from '../../fake/google_fake.js'
import plugin from '../../plugin.js'
import { credentials, data } from './accounts.js'
import { contractOfGoogle } from './contract.js'

/** The suite's options for the plugin. */
export const options = {
  plugin,
  fake: () => new GooglePlayFake(),
  credentials,
  data,
  testers: {
    house: { id: 'internal', name: 'Internal testing' },
    everybody: { id: 'beta', name: 'Open testing' },
    buildIdOf: (number) => number,
  },
  contract: async () => ({ default: await contractOfGoogle() }),
  // A discarded edit changes nothing, and queries are sent by POST.
  alsoReads: ({ method, path }) =>
    (method === 'POST' && /\/edits$|:query$/.test(path)) ||
    (method === 'DELETE' && /\/edits\/[^/:]+$/.test(path)),
  unreported: ['buildStates', 'issueStates'],
} satisfies ConformanceOptions
