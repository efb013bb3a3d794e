import { dying, startWorker, type Seam } from '#foundation/jobs/tests/support/dying_worker'

/*
 * A worker process that carries out commands for version control, and kills itself at the place in
 * `CODE_DIES`: the kind of a command and a seam, such as `release.tag afterCall`.
 */

const [kind, seam] = (process.env.CODE_DIES ?? '').split(' ')

await startWorker(async () => {
  const { modules } = await import('#start/modules')
  const works = modules.flatMap(({ work = [] }) => work)
  return works.map((work) => (work.name === kind ? dying(work, seam as Seam) : work))
})
