/*
 * `npm run fake`: Parcel on loopback, to connect a service with that runs on this machine.
 */
import { serve } from '@tarmac/plugin-kit/testing'
import { ParcelFake } from '../src/fake/server.js'

const { origin } = await serve(new ParcelFake(), Number(process.env.PORT ?? 0))
process.stdout.write(`${origin}\n`)
