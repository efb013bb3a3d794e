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
    for (const [operation, told] of Object.entries(plannedActions(world))) {
      if (only && !only.includes(operation)) continue
      const [tool, action] = placeOf(operation)
      const outcome = async (change?: () => Promise<unknown>) => {
        const shown = await call(world.admin, tool, { action, ...told })
        if (shown.isError) return 'PLAN ' + shown.content[0].text.slice(150, 600)
        const plan = shown.structuredContent.plan
        if (!plan?.token) return 'NO TOKEN'
        if (!change)
          console.log(
            operation,
            JSON.stringify({ ...plan, token: undefined, validUntil: undefined }).slice(0, 900)
          )
        await change?.()
        const done = await call(world.admin, tool, { action, ...told, plan: plan.token })
        const first = done.isError
          ? (/"code":"(\w+)"/.exec(done.content[0].text)?.[1] ?? done.content[0].text)
          : 'done'
        if (change) {
          await saved.restore()
          return first
        }
        const twice = await call(world.admin, tool, { action, ...told, plan: plan.token })
        const second = twice.isError
          ? /"code":"(\w+)"/.exec(twice.content[0].text)?.[1]
          : 'DONE TWICE'
        await saved.restore()
        return first + ' then ' + second
      }
      console.log('##', operation, await outcome())
      if (process.env.MATRIX) {
        const by: Record<string, string[]> = {}
        for (const [name, change] of Object.entries(changes)) {
          try {
            ;(by[await outcome(change)] ??= []).push(name)
          } catch (e) {
            ;(by['ERR ' + (e as Error).message.slice(0, 200)] ??= []).push(name)
            await saved.restore()
          }
        }
        delete by.done
        console.log('   ', JSON.stringify(by, null, 1))
      }
    }
  }).timeout(600000)
})
