import { test } from '@japa/runner'
import { leaveRehearsal, makeRehearsal, walk, type Troubles } from './support/rehearsal/rehearsal.js'
import { appStore, playStore } from './support/rehearsal/stores.js'

const TROUBLES: Readonly<Record<string, Troubles>> = {
  'kickoff': { code: 'restart', tickets: 'limit', chat: 'limit' },
  'dispatch 41': { code: 'limit' },
  'build 41': { store: 'limit' },
  'submit': { store: 'restart', chat: 'restart' },
  'fix': { code: 'limit', tickets: 'restart' },
  'submit again': { chat: 'limit' },
  'rollout': { store: 'limit', tickets: 'limit' },
}

test.group('A rehearsal with five vendors', (group) => {
  group.each.teardown(leaveRehearsal)

  for (const [name, store] of Object.entries({ Android: playStore, iOS: appStore })) {
  test(`of ${name}`, async ({}) => {
    const made = await makeRehearsal(store())
    const cpu = process.cpuUsage()
    await walk(made, process.env.QUIET ? {} : TROUBLES).finally(async () => {
      const { user, system } = process.cpuUsage(cpu)
      console.log((user + system) / 1e6)
      console.log(made.store.history)
      console.log(made.chat.slack.workspace.messages.map(({ text }) => text.replace(/\nOpen.*/, '')))
      for (const [vendor, gate] of Object.entries(made.gates)) console.log(vendor, gate.changes)
      const { body } = await made.admin.get(`${made.path}/timelineEvents?limit=200`)
      console.log(body.data.map(({ type, title }: any) => `${type}: ${title}`).reverse())
      made.store.leave()
    })
  }).timeout(180_000)
  }
})
