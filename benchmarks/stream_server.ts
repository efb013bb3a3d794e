import { createHash } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/*
 * The minimal work of any service that keeps uploads: it writes a body to a file as it arrives,
 * hashes it with SHA-256, and forces it to the disk before it answers. The file is then deleted.
 */

let next = 0

const server = createServer(async (request, response) => {
  if (request.method === 'GET') return void response.end()
  const path = join(process.env.BENCH_FOLDER ?? tmpdir(), `stream-${next++}`)
  const file = await open(path, 'wx')
  const hash = createHash('sha256')
  for await (const chunk of request) {
    hash.update(chunk as Buffer)
    await file.appendFile(chunk as Buffer)
  }
  await file.sync()
  await file.close()
  await rm(path)
  response.end(JSON.stringify({ sha256: hash.digest('hex') }))
})
server.requestTimeout = 0
server.listen(Number(process.env.PORT), process.env.HOST)
process.on('SIGTERM', () => process.exit(0))
