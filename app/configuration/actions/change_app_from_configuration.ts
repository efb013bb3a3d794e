import { ChangeApp } from '#apps/actions/change_app'
import { findApp } from '#apps/queries/find_app'
import type { AppDefinition } from '#apps/settings'
import { watchApp } from '#builds/work/watch_app'
import { storeBuckets } from '#distribution/store_buckets'
import type { Scope } from '#foundation/core/scope'
import { replaceIntegrations } from '#integrations/store_integrations'
import { checkChangedApp } from '../checks/check_configuration.js'
import { DESTINATIONS_KEY } from '../document.js'
import { planChange, type PlannedChange } from '../plan.js'
import { planReach } from '../queries/plan_reach.js'
import { loadCheckContext } from '../queries/load_check_context.js'
import { loadConfiguration } from '../queries/load_configuration.js'
import { demandValid } from '../read_configuration_file.js'
import { storePlan } from '../store_plan.js'
import type { YamlNode } from '../yaml/tree.js'

/** The sections whose change reaches releases. */
const REACHING = [
  'appSettings',
  'stepGroups',
  'destinations',
] as const satisfies (keyof AppDefinition)[]

const sectionsOf = (plan: readonly PlannedChange[]) =>
  new Set(plan.map(({ path }) => path.split(/[.[]/, 1)[0]))

/** What sections of the file are called in a definition. */
const membersOf = (sections: ReadonlySet<string>) =>
  new Set([...sections].map((key) => (key === DESTINATIONS_KEY ? 'destinations' : key))) as Set<
    keyof AppDefinition
  >

/** Changes an app to match a configuration file. */
export class ChangeAppFromConfiguration {
  constructor(private readonly scope: Scope) {}

  /**
   * Writes nothing when the file changes nothing.
   * @throws not_found, invalid_configuration
   */
  async handle(appId: string, root: YamlNode): Promise<void> {
    const { app, wanted, plan } = await this.#prepare(appId, root)
    if (plan.length === 0) return
    const sections = sectionsOf(plan)
    if (sections.has('buildDistro')) await storeBuckets(this.scope, appId, wanted.buckets)
    if (sections.has('integrations')) {
      await replaceIntegrations(this.scope, appId, wanted.integrations)
    }
    await new ChangeApp(this.scope).handle(app, wanted, membersOf(sections), plan)
    await storePlan(this.scope, appId, wanted, sections)
    await watchApp(this.scope, appId)
  }

  /** What the file would change, without changing it. @throws as `handle` does */
  async plan(appId: string, root: YamlNode): Promise<PlannedChange[]> {
    const { app, wanted, plan } = await this.#prepare(appId, root)
    const changed = membersOf(sectionsOf(plan))
    const reaching = REACHING.filter((section) => changed.has(section))
    if (reaching.length === 0) return plan
    const reach = await planReach(this.scope, appId, async (rehearsal) => {
      const model = await findApp(rehearsal, appId)
      // No more than what reaches releases; an icon would be fetched.
      const definition = { ...wanted, icon: app.iconUrl }
      await new ChangeApp(rehearsal).handle(model, definition, new Set(reaching), [])
    })
    return [...plan, ...reach]
  }

  async #prepare(appId: string, root: YamlNode) {
    const app = await findApp(this.scope, appId)
    const current = await loadConfiguration(this.scope, app)
    const context = await loadCheckContext(this.scope, current, appId)
    const wanted = demandValid(checkChangedApp(root, context))
    return { app, wanted, plan: planChange(current, wanted) }
  }
}
