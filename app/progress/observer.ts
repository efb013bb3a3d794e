import type { IntegrationObserver } from '#integrations/callbacks/observers'
import { WATCHED, type Watched } from './vocabulary.js'
import { lookNow } from './watch.js'

/** What a provider says has changed is looked at soon. */
export const observer: IntegrationObserver = {
  async hinted(scope, { appId, kind }) {
    for (const what of Object.keys(WATCHED) as Watched[]) {
      if (WATCHED[what].kind === kind) await lookNow(scope, appId, what)
    }
  },
}
