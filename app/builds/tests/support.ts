import { sendFile } from '#distribution/tests/support'
import { makeApp } from '#tests/support/app_fixture'
import { CUSTOM_BUILD, installIntegration } from '#tests/support/custom_integrations'
import type { ApiOptions } from '#tests/support/api'
import { makeWorld } from '#tests/support/world'
import type { IntegrationData } from '#integrations/settings'

/** An app with custom CI, and how its builds are sent. */
export async function makeCustomCi(data: IntegrationData = {}) {
  const world = await makeWorld()
  const app = await makeApp(world)
  const installation = await installIntegration(world, app, 'generic-ci', data)
  const path = `/app/${app}/integration/${installation}/build`
  return {
    world,
    app,
    admin: world.admin,
    installation,
    path,
    /** Sends a build; `said` is beside what every build says. */
    send: (
      said: object = {},
      file: { bytes?: string | Buffer; fileName?: string } = {},
      options?: ApiOptions,
      api = world.admin
    ) => sendFile(api, path, { ...file, data: { ...CUSTOM_BUILD, ...said } }, options),
    told: async () => (await world.events()).filter(({ sequence }) => sequence !== null),
  }
}
