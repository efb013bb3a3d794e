import { writeFileSync } from 'node:fs'
import { test } from '@japa/runner'
import { SavedRows } from '#tests/support/saved_rows'
import { call } from '../support.js'
import { tools } from '../../tools/catalog.js'
import { makePlannedWorld } from './planned_world.js'
import { plannedActions } from './planned_actions.js'
import { changesBetween } from './changes_between.js'

const placeOf = (operation: string) => {
  for (const { name, actions } of tools)
    for (const [action, declared] of Object.entries(actions))
      if (declared.operation === operation) return [name, action] as const
  throw new Error(operation)
}
const only = process.env.ONLY?.split(',')
test.group('probe', () => {
  test('x', async () => {
    const world = await makePlannedWorld()
    const saved = await SavedRows.of(world.organizationId)
    const changes = changesBetween(world)
    const all: any = {}
    for (const [operation, told] of Object.entries(plannedActions(world))) {
      if (only && !only.includes(operation)) continue
      const [tool, action] = placeOf(operation)
      const shown = await call(world.admin, tool, { action, ...told })
      if (shown.isError) {
        console.log(operation, shown.content[0].text.slice(150, 600))
        continue
      }
      const plan = shown.structuredContent.plan
      const by: Record<string, string[]> = {}
      for (const [name, change] of Object.entries(changes)) {
        let out
        try {
          await change()
          const done = await call(world.admin, tool, { action, ...told, plan: plan.token })
          out = done.isError
            ? (/"code":"(\w+)"/.exec(done.content[0].text)?.[1] ?? done.content[0].text)
            : 'done'
        } catch (e) {
          out = 'ERR ' + (e as Error).message.slice(0, 300)
        }
        await saved.restore()
        ;(by[out] ??= []).push(name)
      }
      delete by.done
      all[operation] = by
      writeFileSync(process.env.OUT!, JSON.stringify(all, null, 1))
    }
  }).timeout(3600000)
})
