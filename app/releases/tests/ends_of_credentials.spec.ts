import { test } from '@japa/runner'
import { later } from '#foundation/core/clock'
import { DAY } from '#foundation/core/durations'
import { clock } from '#foundation/core/services'
import { capabilitiesOf, plugins } from '#integrations/plugins/plugin_registry'
import { replaceIntegrations } from '#integrations/store_integrations'
import { connect } from '#integrations/tests/support/connect'
import type { Kind } from '#plugin-kit/kinds'
import { Fixtures } from '#tests/support/fixtures'
import { makeWorld } from '#tests/support/world'

test.group('GET …/whyNotMoving', () => {
  test('lists credentials of the app that expire within 30 days, and who can renew them', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const { get } = new Fixtures(world)
    const [appId, releaseId] = [await get('appId'), await get('releaseId')]
    const connected = (alias: string, days: number) =>
      connect(world, 'memory', {
        alias,
        check: {
          ...{ ok: true, account: 'memory', missingPermissions: [] },
          endsAt: later(clock.now(), days * DAY),
        },
      })
    const [soon, later40] = [await connected('Soon', 20), await connected('Later', 40)]
    await connected('Unused', 10)
    const [{ type, kind }] = capabilitiesOf(plugins.find('memory')!.manifest)
    const use = ({ id, alias }: { id: string; alias: string | null }) => ({
      ...{ key: alias!, type, kind: kind as Kind, provider: id, data: {} },
    })
    await world.write((scope) => replaceIntegrations(scope, appId, [use(soon), use(later40)]))
    const path = `/app/${appId}/release/${releaseId}/whyNotMoving`
    const { status, body } = await world.admin.get(path)
    assert.equal(status, 200)
    const ends = body.next.filter(({ what }: { what: string }) => what === 'credentialsEnd')
    assert.lengthOf(ends, 1)
    assert.equal(ends[0].at, soon.endsAt)
    assert.include(ends[0].who[0], { type: 'userAction', name: 'AddRemoveEditIntegration' })
    assert.match(ends[0].message, /^The credentials of Soon end on .*; someone who may change/)
  })
})
