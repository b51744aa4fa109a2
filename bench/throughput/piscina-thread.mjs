// What a thread of piscina does: nothing.
export default i => i
