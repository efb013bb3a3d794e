import type { InProcessHost } from '#integrations/port/in_process'
import { WORLD_HOST } from './provider/shared/world_manifest.js'

/** The host of simulated worlds; its code is loaded with the first request. */
export const worldHost: InProcessHost = {
  host: WORLD_HOST,
  async answer(request) {
    const { respondForWorlds } = await import('./answer_for_worlds.js')
    return respondForWorlds(request)
  },
}
