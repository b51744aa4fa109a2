/** What esbuild's option `keepNames` calls for each function and class, minified. */
const HELPER = /([\w$]+)=\(([\w$]+),([\w$]+)\)=>([\w$]+)\(\2,"name",\{value:\3,configurable:!0\}\)/g

/**
 * Keeps the names of classes and functions, but not those of arrow functions. An arrow function would get its name each time that it is created, which took
 * a tenth of a busy peer's time. It is a plain function without a prototype. Async functions have no prototype either, and keep their names.
 *
 * @param code - minified by esbuild with `keepNames`
 */
export function withoutNamesOfArrows(code) {
  return code.replace(
    HELPER,
    '$1=($2,$3)=>$2.prototype||$2.constructor!==Function?$4($2,"name",{value:$3,configurable:!0}):$2'
  )
}
