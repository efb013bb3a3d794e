import type { IntegrationObserver } from '#integrations/callbacks/observers'
import { pollNow } from './work/watch.js'

/** Polls code or tickets at once after a hint such as a push or a changed ticket. */
export const observer: IntegrationObserver = {
  async hinted(scope, { appId, kind }) {
    if (kind === 'versionControl' || kind === 'issueTracking') await pollNow(scope, appId, kind)
  },
}
