import { createServer } from 'node:http'
import { test } from '@japa/runner'
import { openBrowser } from '#distribution/install_pages/tests/browser'
import { bundleClient, givenTo, installClient, USED } from './support/packed_client.js'
import { listen, startService } from './support/processes.js'
import { LONG } from './support/effort.js'

/*
 * The packed client in a page of another origin, which `CORS_ORIGINS` lets in.
 */

test('The packed client talks to the service in a browser', async ({ assert, cleanup }) => {
  const folder = await installClient(cleanup)
  const script = await bundleClient(folder, `export { use } from './use.ts'`)
  const site = createServer((request, response) => {
    const isScript = request.url === '/client.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    response.end(isScript ? script : '<!doctype html><title>Board</title>')
  })
  const origin = await listen(site)
  cleanup(() => void site.close())
  const service = await startService({ CORS_ORIGINS: origin })
  cleanup(async () => void (await service.stop()))
  const browser = await openBrowser()
  cleanup(() => browser.close())

  const page = await browser.newPage()
  await page.goto(origin)
  const given = JSON.stringify(await givenTo(service.base))
  const used = await page.evaluate(`import('/client.js').then(({ use }) => use(${given}))`)
  assert.deepEqual(used, USED)
}).tags([LONG])
