import type { IntegrationObserver } from '#integrations/callbacks/observers'
import { WATCHED, type Watched } from './vocabulary.js'
import { pollNow } from './watch.js'

/** Polls at once when a provider reports a change. */
export const observer: IntegrationObserver = {
  async hinted(scope, { appId, kind }) {
    for (const what of Object.keys(WATCHED) as Watched[]) {
      if (WATCHED[what].kind === kind) await pollNow(scope, appId, what)
    }
  },
}
