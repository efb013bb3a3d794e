import type { Localization } from '#plugin-kit/capabilities/stores'
import type { PluginContext } from '#plugin-kit/context'
import { allOf } from '../shared/world_pages.js'

/** Translations of a simulated world. */
export default class SimulatedLocalization implements Localization {
  constructor(private readonly ctx: PluginContext) {}

  listLocales() {
    return allOf<{ locale: string; translated: number; reviewed: number; total: number }>(
      this.ctx,
      { path: '/v1/translations/locales' }
    )
  }
}
