import { OpenapiWrite } from './openapi_write.js'

export const commands = [OpenapiWrite]
