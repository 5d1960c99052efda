"""Conan recipe of the package that it lies in: conan create ."""

import os

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy


class SallyportCpp(ConanFile):
    name = "sallyport-cpp"
    version = "0.1.0"
    license = "MIT"
    description = "C++ client of a Sallyport bridge, with the interface of the platform's client SDK"
    package_type = "static-library"
    settings = "os", "arch", "compiler", "build_type"
    exports_sources = "c/*", "cpp/*", "LICENSE"

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["SALLYPORT_INSTALL"] = "ON"
        toolchain.cache_variables["SALLYPORT_EXAMPLES"] = "OFF"
        toolchain.cache_variables["SALLYPORT_SHARED_LIBRARY"] = "OFF"
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure(build_script_folder="cpp")
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        CMake(self).install()

    def package_info(self):
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = [os.path.join("lib", "cmake")]
        self.cpp_info.libs = ["sallyport_cpp", "sallyport"]
        if self.settings.os == "Windows":
            self.cpp_info.system_libs = ["bcrypt", "advapi32"]
