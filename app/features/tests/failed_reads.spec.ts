import service from '@adonisjs/core/services/app'
import { test } from '@japa/runner'
import { PROVIDER_ERROR_CODES, type ProviderErrorCode } from '#plugin-kit/provider_error'
import { makeFeatures } from './support.js'

/**
 * Returns the failure for an error while code is read; null if it says nothing about the provider.
 */
const COMES_TO: Record<ProviderErrorCode, string | null> = {
  unauthorized: 'refused',
  forbidden: 'forbidden',
  rateLimited: 'limited',
  quotaExhausted: 'limited',
  timeout: 'noAnswer',
  unavailable: 'noAnswer',
  protocol: 'unreadable',
  notFound: 'unreadable',
  invalid: 'unreadable',
  conflict: null,
  preconditionFailed: null,
} as Record<ProviderErrorCode, string | null>

const written = async () => (await service.container.make('integrations.answers')).flush()

test.group('A failed read of a provider', () => {
  test('shows in the integration and in why a release does not move, until a read succeeds', async ({
    assert,
    cleanup,
  }) => {
    const { fails, look, release, admin, app, path, repository } = await makeFeatures(cleanup)
    repository.commit()
    await release('1.0.0')
    await look()
    const integrations = async () => {
      await written()
      const { body } = await admin.get(`/app/${app}/integrations`)
      return new Map<string, any>(body.map((each: any) => [each.kind, each]))
    }
    const why = async () => {
      const { body } = await admin.get(`${path('1.0.0')}/whyNotMoving`)
      return body.steps.flatMap(({ type, unmet }: any) =>
        unmet.some(({ code }: any) => code === 'connection_failing') ? [type] : []
      )
    }
    for (const code of PROVIDER_ERROR_CODES) {
      const said = `as it answers ${code}`
      repository.commit()
      fails.compare = code
      await look()
      const failing = await integrations()
      const { failure, lastSyncedAt } = failing.get('versionControl')
      assert.equal(failure?.code ?? null, COMES_TO[code] ?? null, said)
      assert.isString(lastSyncedAt)
      assert.isNull(failing.get('issueTracking').failure, said)
      if (COMES_TO[code]) {
        assert.include(failure.message, 'compare', said)
        assert.include(failure.message, failure.since, said)
        assert.include(await why(), 'kickoff', said)
      }
      delete fails.compare
      await look()
      assert.isNull((await integrations()).get('versionControl').failure, said)
      assert.isEmpty(await why(), said)
    }
  })
})
