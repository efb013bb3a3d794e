import 'reflect-metadata'
import { ignite } from '../bin/ignite.js'

/* A process that makes many organizations and prints an admin key and the id of each. */

const COUNT = Number(process.env.BENCH_ORGANIZATIONS ?? 1000)

const app = ignite().createApp('console')
await app.init()
await app.boot()
await app.start(() => {})

const { unrestricted } = await import('#foundation/core/principal')
const { CreateKey } = await import('#organizations/actions/create_key')
const { CreateOrganization } = await import('#organizations/actions/create_organization')

const database = await app.container.make('lucid.db')
const clock = await app.container.make('clock')
const unitOfWork = await app.container.make('unitOfWork')
const actor = { type: 'system', id: null, name: 'benchmark' } as const

const made: { id: string; key: string }[] = []
for (let index = 0; index < COUNT; index++) {
  const create = new CreateOrganization(database as never, clock)
  const organization = await create.handle({ name: `Bench ${index}` })
  const { key } = await unitOfWork.inTransaction(
    { organization, actor, permissions: unrestricted },
    (scope) => new CreateKey(scope).handle({ name: 'bench', admin: true })
  )
  made.push({ id: organization.id, key })
}
await app.terminate()
console.log(JSON.stringify(made))
process.exit(0)
