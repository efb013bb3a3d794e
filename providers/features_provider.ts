import type { ApplicationService } from '@adonisjs/core/types'

/** Binds the settings of the language model that writes release notes. */
export default class FeaturesProvider {
  constructor(protected app: ApplicationService) {}

  register() {
    this.app.container.singleton('features.ai', async () => (await import('#config/ai')).ai)
  }
}
