/*
 * `npm run fake` serves the fake Acme on loopback, for a service that runs on this machine.
 */
import { serve } from '#plugin-kit/testing'
import { AcmeFake } from '../src/fake/server.js'

const { origin } = await serve(new AcmeFake(), Number(process.env.PORT ?? 0))
process.stdout.write(`${origin}\n`)
