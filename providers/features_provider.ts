import type { ApplicationService } from '@adonisjs/core/types'

/** What writes release notes, where something is configured that does. */
export default class FeaturesProvider {
  constructor(protected app: ApplicationService) {}

  register() {
    this.app.container.singleton('features.ai', async () => (await import('#config/ai')).ai)
  }
}
