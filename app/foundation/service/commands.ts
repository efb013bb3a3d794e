import { OpenapiWrite } from './openapi_write.js'
import { StorageVerify } from './storage_verify.js'
import { WorkCommand } from './work.js'

/** The console commands of the foundation. */
export const commands = [OpenapiWrite, StorageVerify, WorkCommand]
