import { dying, SEAMS, startWorker, type Seam } from '#foundation/jobs/tests/support/dying_worker'
import type { AppStore } from '#plugin-kit/capabilities/stores'
import type { PluginContext } from '#plugin-kit/context'
import type { Plugin } from '#plugin-kit/plugin'

/*
 * A process that carries out jobs of stores, and kills itself at the place in `STORE_DIES`: at a
 * seam of the job (`afterCall`), or `before`, `inside` or `after` a method of the store (`inside
 * submit`: the store has changed, and has not answered yet).
 */

// Its clock follows that of the test that started it.
const machine = Date.now
const ahead = Number(process.env.STORE_AHEAD ?? 0)
Date.now = () => machine() + ahead

const dies = process.env.STORE_DIES ?? ''
const [place, method] = dies.split(' ')
const die = () => process.kill(process.pid, 'SIGKILL')

const KINDS = ['store.reconcile', 'store.stop']

let isInside = false

/** Returns the plugin, killed around or in one method of its store. */
async function killedIn(plugin: Plugin): Promise<Plugin> {
  const { default: Store } = await plugin.capabilities.appStore!()
  class Killed extends (Store as new (ctx: PluginContext) => AppStore) {
    constructor(ctx: PluginContext) {
      super(ctx)
      const own = this as unknown as Record<string, (...given: unknown[]) => Promise<unknown>>
      const original = own[method]?.bind(this)
      if (!original) return
      own[method] = async (...given) => {
        if (place === 'before') die()
        isInside = place === 'inside'
        const result = await original(...given)
        if (place === 'after') die()
        return result
      }
    }
  }
  const capabilities = { ...plugin.capabilities, appStore: async () => ({ default: Killed }) }
  return { ...plugin, capabilities } as Plugin
}

await startWorker(async () => {
  const { modules } = await import('#start/modules')
  const { plugins } = await import('#integrations/plugins/plugin_registry')
  const { inProcessHosts } = await import('#integrations/port/in_process')
  const works = modules.flatMap(({ work = [] }) => work)
  const isSeam = SEAMS.some((seam) => seam === dies)
  if (isSeam) {
    const isOfStore = ({ name }: { name: string }) => KINDS.includes(name)
    return works.map((work) => (isOfStore(work) ? dying(work, dies as Seam) : work))
  }
  await plugins.load({
    'sim': () => import('../../provider/plugin.js'),
    'sim-apple': async () => ({
      default: await killedIn((await import('../../provider/app_store/plugin.js')).default),
    }),
    'sim-google': async () => ({
      default: await killedIn((await import('../../provider/google_play/plugin.js')).default),
    }),
  })
  for (const host of inProcessHosts.all) {
    const result = host.answer.bind(host)
    host.answer = async (request) => {
      const { method: verb } = request
      const answered = await result(request)
      if (isInside && verb !== 'GET') die()
      return answered
    }
  }
  return works
})
