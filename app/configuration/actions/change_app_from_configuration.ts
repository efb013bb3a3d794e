import { ChangeApp } from '#apps/actions/change_app'
import { destinationsOf } from '#apps/store_destinations'
import type App from '#apps/models/app'
import { appExtensions } from '#apps/extensions'
import { findApp } from '#apps/queries/find_app'
import type { AppDefinition } from '#apps/settings'
import { watchApp } from '#builds/work/watch_app'
import { storeBuckets } from '#distribution/store_buckets'
import type { Scope } from '#foundation/core/scope'
import type { IntegrationConfiguration } from '#integrations/settings'
import { replaceIntegrations } from '#integrations/store_integrations'
import { checkChangedApp } from '../checks/check_configuration.js'
import { CADENCE_KEY, DESTINATIONS_KEY } from '../document.js'
import type { AppConfiguration } from '../model.js'
import { planChange, sectionOf, withWarnings, type PlannedChange, type Warnings } from '../plan.js'
import { readPast } from '../read_past.js'
import { submittedReleaseWarnings } from '../queries/submitted_release_warnings.js'
import { planOfDrafts, warningsOfDrafts } from '../plan_drafts.js'
import { planReach } from '../queries/plan_reach.js'
import { loadCheckContext } from '../queries/load_check_context.js'
import { loadConfiguration } from '../queries/load_configuration.js'
import { requireValid } from '../read_configuration_file.js'
import { storePlan } from '../store_plan.js'
import type { YamlNode } from '../yaml/tree.js'

type Wanted = Pick<AppDefinition, 'destinations'> & {
  integrations: readonly IntegrationConfiguration[]
}

/** The sections whose changes affect releases. */
const REACHING = [
  'appSettings',
  'stepGroups',
  'destinations',
] as const satisfies (keyof AppDefinition)[]

const sectionsOf = (plan: readonly PlannedChange[]) =>
  new Set(plan.map(({ path }) => sectionOf(path)))

/** Returns the names that sections of the file have in a definition. */
const membersOf = (sections: ReadonlySet<string>) =>
  new Set([...sections].map((key) => (key === DESTINATIONS_KEY ? 'destinations' : key))) as Set<
    keyof AppDefinition
  >

/** Changes an app to match a configuration file. */
export class ChangeAppFromConfiguration {
  constructor(private readonly scope: Scope) {}

  /**
   * Writes nothing when the file changes nothing.
   * @returns the warnings about the file
   * @throws not_found, invalid_configuration
   */
  async handle(appId: string, root: YamlNode): Promise<Warnings> {
    const { app, wanted, plan, warnings } = await this.#prepare(appId, root)
    if (plan.length === 0) return warnings
    const sections = sectionsOf(plan)
    if (sections.has('buildDistro')) await storeBuckets(this.scope, appId, wanted.buckets)
    if (sections.has('integrations')) {
      await replaceIntegrations(this.scope, appId, wanted.integrations)
    }
    await new ChangeApp(this.scope).handle(app, wanted, membersOf(sections), plan)
    const drafts = await storePlan(this.scope, appId, wanted, sections)
    await watchApp(this.scope, appId)
    await readPast(this.scope, appId)
    return [...warnings, ...warningsOfDrafts(drafts, root)]
  }

  /** Returns what the file would change, without changing it. @throws as `handle` does */
  async plan(appId: string, root: YamlNode): Promise<PlannedChange[]> {
    const { app, wanted, plan: changes, warnings } = await this.#prepare(appId, root)
    const sections = sectionsOf(changes)
    const plan = [
      ...withWarnings(changes, warnings),
      ...(sections.has(CADENCE_KEY) ? await this.#planDrafts(appId, wanted) : []),
    ]
    const changed = membersOf(sections)
    const reaching = REACHING.filter((section) => changed.has(section))
    if (reaching.length === 0) return plan
    const reach = await planReach(this.scope, appId, async (rehearsal) => {
      const model = await findApp(rehearsal, appId)
      // Applies only what affects releases. A changed icon would be fetched.
      const definition = { ...wanted, icon: app.iconUrl }
      await new ChangeApp(rehearsal).handle(model, definition, new Set(reaching), [])
    })
    return [...plan, ...reach]
  }

  async #planDrafts(appId: string, wanted: AppConfiguration): Promise<PlannedChange[]> {
    const { result } = await this.scope.rehearse(async (rehearsal) => {
      const drafts = await storePlan(rehearsal, appId, wanted, new Set([CADENCE_KEY]))
      return async () => drafts
    })
    return planOfDrafts(result)
  }

  async #prepare(appId: string, root: YamlNode) {
    const app = await findApp(this.scope, appId)
    const current = await loadConfiguration(this.scope, app)
    const context = await loadCheckContext(this.scope, current, appId)
    const { value: wanted, warnings } = requireValid(checkChangedApp(root, context))
    const releaseWarnings = await submittedReleaseWarnings(this.scope, appId, wanted, root)
    const plan = planChange(current, wanted)
    await this.#requireChangeable(app, wanted, sectionsOf(plan))
    return { app, wanted, plan, warnings: [...warnings, ...releaseWarnings] }
  }

  /** @throws release_live when a store with a live release would be removed or replaced */
  async #requireChangeable(app: App, wanted: Wanted, sections: ReadonlySet<string>) {
    if (!sections.has('integrations') && !sections.has(DESTINATIONS_KEY)) return
    const [first, ...further] = await destinationsOf(this.scope, app.id)
    const names = new Set(wanted.destinations.map(({ name }) => name.toLowerCase()))
    const kept = further.filter(({ name }) => names.has(name.toLowerCase()))
    const destinationIds = new Set([first, ...kept].map((each) => each?.id))
    const integrations = new Map(wanted.integrations.map((each) => [each.key, each]))
    for (const extension of appExtensions.all) {
      await extension.requireChangeable?.(this.scope, app, { integrations, destinationIds })
    }
  }
}
