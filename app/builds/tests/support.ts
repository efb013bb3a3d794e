import { sendFile } from '#distribution/tests/support'
import { makeApp } from '#tests/support/app_fixture'
import { CUSTOM_BUILD, installIntegration } from '#tests/support/custom_integrations'
import type { ApiOptions } from '#tests/support/api'
import { makeWorld } from '#tests/support/world'
import type { IntegrationData } from '#integrations/settings'
import type { ReleaseStepType } from '#workflow/vocabulary'

const required = { required: true }
const ALL_TYPES = { standard: required, hotfix: required }

/** Creates an app with custom CI. `send` uploads a build of it. */
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
    /** Uploads a build. `change` overrides members of the default data. */
    send: (
      change: object = {},
      file: { bytes?: string | Buffer; fileName?: string } = {},
      options?: ApiOptions,
      api = world.admin
    ) => sendFile(api, path, { ...file, data: { ...CUSTOM_BUILD, ...change } }, options),
    reported: async () => (await world.events()).filter(({ sequence }) => sequence !== null),
  }
}

/** Creates an app with custom CI, a candidate step and a release 1.4.0 that is kicked off. */
export async function kickedOffRelease(
  data: IntegrationData = {},
  steps: readonly ReleaseStepType[] = ['kickoff', 'releaseCandidate', 'regressionTesting']
) {
  const world = await makeWorld()
  const app = await makeApp(world, {
    steps: steps.map((type) => ({ type, releaseTypes: ALL_TYPES })),
  })
  const installation = await installIntegration(world, app, 'generic-ci', data)
  await world.admin.post(`/app/${app}/release`, { version: '1.4.0' })
  await world.admin.put(`/app/${app}/release/${app}:1.4.0/kickoff`)
  const at = (version: string) => {
    const path = `/app/${app}/release/${app}:${version}`
    return {
      path,
      step: async (type = 'releaseCandidate') => {
        const { body } = await world.admin.get(`${path}/steps`)
        return body.find((each: { type: string }) => each.type === type)
      },
      run: async (id: string) => (await world.admin.get(`${path}/stepRun/${id}`)).body,
    }
  }
  return {
    world,
    app,
    admin: world.admin,
    installation,
    at,
    ...at('1.4.0'),
    send: (change: object = {}, file: { bytes?: string; fileName?: string } = {}) => {
      const path = `/app/${app}/integration/${installation}/build`
      return sendFile(world.admin, path, {
        ...file,
        data: { ...CUSTOM_BUILD, version: '1.4.0', ...change },
      })
    },
    /** Events of some types, each with the status it reports. */
    reportedOf: async (...types: string[]) =>
      (await world.events())
        .filter(({ type }) => types.includes(type))
        .map(({ type, payload }) => {
          const status = payload.ciBuild?.buildStatus ?? payload.releaseSteps[0].status
          return `${type} ${status}`
        }),
  }
}
