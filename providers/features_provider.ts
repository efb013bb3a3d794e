import type { ApplicationService } from '@adonisjs/core/types'

/** Binds the writer of release notes, if one is configured. */
export default class FeaturesProvider {
  constructor(protected app: ApplicationService) {}

  register() {
    this.app.container.singleton('features.ai', async () => (await import('#config/ai')).ai)
  }
}
