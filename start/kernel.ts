import server from '@adonisjs/core/services/server'
import { useInputMessages } from '#foundation/api/operation/messages'

useInputMessages()
server.errorHandler(() => import('#foundation/api/http/exception_handler'))
