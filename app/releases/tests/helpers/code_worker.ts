import { dying, startWorker, type Seam } from '#foundation/jobs/tests/support/dying_worker'

/*
 * A process that does what releases ask of version control, and kills itself where `CODE_DIES`
 * says: `release.tag afterCall`, with the kind of the command before the place.
 */

const [kind, seam] = (process.env.CODE_DIES ?? '').split(' ')

await startWorker(async () => {
  const { modules } = await import('#start/modules')
  const works = modules.flatMap(({ work = [] }) => work)
  return works.map((work) => (work.name === kind ? dying(work, seam as Seam) : work))
})
