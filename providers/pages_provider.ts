import type { ApplicationService } from '@adonisjs/core/types'

/** Gives the pages their settings. */
export default class PagesProvider {
  constructor(protected app: ApplicationService) {}

  register() {
    this.app.container.singleton('pages.oidc', async () => {
      const { oidc } = await import('#config/oidc')
      return { settings: oidc }
    })
  }
}
