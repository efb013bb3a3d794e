import vine from '@vinejs/vine'
import type { Infer } from '@vinejs/vine/types'
import { queryBoolean, describedAs } from '#foundation/api/operation/input'
import { pageInput } from '#foundation/api/pages'

/** The largest answer of a device, in bytes: a signed list with its certificates. */
export const MAX_ANSWER_BYTES = 64 * 1024

export const listDevicesValidator = vine.create(pageInput)
export type ListDevicesQuery = Infer<typeof listDevicesValidator>

export const devicePageValidator = vine.create({
  registered: queryBoolean()
    .use(describedAs('Whether the device has just been registered.'))
    .optional(),
})
export type DevicePageQuery = Infer<typeof devicePageValidator>
